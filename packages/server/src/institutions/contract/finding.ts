/** One rule of the contract and whether the connector keeps it. */
export interface ContractFinding {
  readonly rule: string;
  readonly kept: boolean;
  /** What was seen; empty when the rule was kept. */
  readonly seen: string;
}

export function finding(rule: string, kept: boolean, seen = ''): ContractFinding {
  return { rule, kept, seen: kept ? '' : seen };
}

/** True when every rule is kept. */
export function keepsContract(findings: readonly ContractFinding[]): boolean {
  return findings.every(({ kept }) => kept);
}
