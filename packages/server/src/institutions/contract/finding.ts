/** One rule of the contract and whether the connector complies. */
export interface ContractFinding {
  readonly rule: string;
  readonly kept: boolean;
  /** What was observed; empty when the connector complies. */
  readonly seen: string;
}

export function finding(rule: string, kept: boolean, seen = ''): ContractFinding {
  return { rule, kept, seen: kept ? '' : seen };
}

/** True when the connector complies with every rule. */
export function keepsContract(findings: readonly ContractFinding[]): boolean {
  return findings.every(({ kept }) => kept);
}
