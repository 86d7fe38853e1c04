export { demoConsentClient } from './bank/consent.ts';
export type { DemoAccount } from './demo/accounts.ts';
export { demoAccounts, UNLISTED_ACCOUNT_PASSWORD } from './demo/accounts.ts';
export type { DemoCertificate, Member, MemberKind } from './demo/members.ts';
export {
  demoCertificates,
  demoMembers,
  ownerNumberOf,
  UNLISTED_LOGIN_PASSWORD,
} from './demo/members.ts';
export type { HostileKind, PortalState } from './portal/condition.ts';
export type { MagicEnding } from './portal/magic.ts';
export { MAGIC_ENDINGS } from './portal/magic.ts';
export type { LoggedRequest, LoggedSession, LogReport } from './portal/request-log.ts';
export type { Bank, Provider } from './providers.ts';
export { PROVIDERS } from './providers.ts';
export type { SimulatorOptions, Simulators } from './start-simulators.ts';
export { startSimulators } from './start-simulators.ts';
