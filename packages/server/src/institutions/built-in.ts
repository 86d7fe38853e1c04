import type { Connector, InstitutionModule } from './connector.ts';

/** The institutions of the contract, each loaded on its first call. */
const MODULES: Readonly<Record<string, () => Promise<InstitutionModule>>> = {
  employment: async () => (await import('./employment/employment.ts')).employment,
  si_edi: async () => (await import('./si-edi/si-edi.ts')).siEdi,
  tax_portal: async () => (await import('./tax-portal/tax-portal.ts')).taxPortal,
  bank_a: async () => (await import('./banks/bank-a.ts')).bankA,
  bank_b: async () => (await import('./banks/bank-b.ts')).bankB,
  bank_c: async () => (await import('./banks/bank-c.ts')).bankC,
  bank_d: async () => (await import('./banks/bank-d.ts')).bankD,
};

/** Connectors of the built-in institutions' actions, by action id. */
export function builtInConnectors(
  actions: Iterable<{ readonly id: string; readonly provider: string }>,
): Map<string, Connector> {
  const connectors = new Map<string, Connector>();
  for (const { id, provider } of actions) {
    const load = MODULES[provider];
    if (load === undefined) continue;
    connectors.set(id, async (call) => {
      const connector = (await load()).connectors[id];
      if (connector === undefined) throw new TypeError(`${id} has no connector`);
      return connector(call);
    });
  }
  return connectors;
}
