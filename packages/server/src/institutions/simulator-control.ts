import type { SimulatorRecord, SimulatorStateRequest } from '@changgu/contract/schemas';

/** How the simulated institutions of `dev` are steered. */
export interface SimulatorControl {
  list(): Promise<readonly SimulatorRecord[]>;
  /** Null when there is no such simulator. */
  setState(provider: string, order: SimulatorStateRequest): Promise<SimulatorRecord | null>;
}
