/** A fake of the service for your own tests. Nothing here belongs in production. */
export type { FakeAnswer, FakeRequest } from './testing/fake-answer.ts';
export type { FakeFile, FakeJob, Fate, FateOf } from './testing/fake-jobs.ts';
export {
  type FakeRoute,
  FakeService,
  type FakeServiceOptions,
  type SeenRequest,
} from './testing/fake-service.ts';
export type { FakeBankAccount } from './testing/fake-state.ts';
export type { Fault, FaultScript } from './testing/fault-script.ts';
export { changguHandlers, type MswHttp } from './testing/msw-handlers.ts';
export { VirtualClock } from './testing/virtual-clock.ts';
