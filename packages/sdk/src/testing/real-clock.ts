import { systemClock } from '../request/clock.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The time of the process, or of the test runner's fake timers, which move it. */
export class RealClock extends VirtualClock {
  override now(): number {
    return systemClock.now();
  }

  override setTimeout(callback: () => void, milliseconds: number): unknown {
    return systemClock.setTimeout(callback, milliseconds);
  }

  override clearTimeout(timer: unknown): void {
    systemClock.clearTimeout(timer);
  }

  override hold<T>(work: Promise<T>): Promise<T> {
    return work;
  }

  /** Real time: it passes by itself. */
  override runUntil<T>(work: Promise<T>): Promise<T> {
    return work;
  }
}
