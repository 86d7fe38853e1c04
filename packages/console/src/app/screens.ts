import type { ComponentType } from 'preact';
import type { OperationName } from '../api/call.ts';

/** A screen's parameters, from its address. */
export interface ScreenProps {
  readonly id: string;
}

export interface ScreenEntry {
  /** `jobs/:id` matches one more path segment. */
  readonly path: string;
  /** The screen is only offered to those who may call this. */
  readonly needs: OperationName;
  /** The equivalent operation for the person's own organization. */
  readonly orNeeds?: OperationName;
  /** Its address names the environment, because it shows the records of one. */
  readonly isOfEnvironment?: true;
  /** Only for one kind of session. */
  readonly for?: 'person' | 'operator';
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

/** A separate chunk, loaded when the screen is opened. */
export const SCREENS: readonly ScreenEntry[] = [
  {
    path: '',
    needs: 'listInstitutions',
    load: async () => (await import('../screens/home/home.tsx')).Home,
  },
  {
    path: 'jobs',
    needs: 'listJobs',
    isOfEnvironment: true,
    load: async () => (await import('../screens/jobs/jobs.tsx')).Jobs,
  },
  {
    path: 'jobs/:id',
    needs: 'readJob',
    isOfEnvironment: true,
    load: async () => (await import('../screens/job/job.tsx')).JobScreen,
  },
  {
    path: 'runs',
    needs: 'listAllAccountsRuns',
    isOfEnvironment: true,
    load: async () => (await import('../screens/runs/runs.tsx')).Runs,
  },
  {
    path: 'links',
    needs: 'listAccountLinks',
    for: 'person',
    load: async () => (await import('../screens/links/links.tsx')).Links,
  },
  {
    path: 'links/:id',
    needs: 'readAccountLink',
    for: 'person',
    load: async () => (await import('../screens/link/link.tsx')).LinkScreen,
  },
  {
    path: 'catalog',
    needs: 'listInstitutions',
    for: 'person',
    load: async () => (await import('../screens/catalog/catalog.tsx')).Catalog,
  },
  {
    path: 'catalog/:id',
    needs: 'listInstitutions',
    for: 'person',
    load: async () => (await import('../screens/catalog/action.tsx')).ActionScreen,
  },
  {
    path: 'keys',
    needs: 'listAppCredentials',
    for: 'person',
    load: async () => (await import('../screens/keys/keys.tsx')).Keys,
  },
  {
    path: 'webhooks',
    needs: 'listWebhooks',
    for: 'person',
    load: async () => (await import('../screens/webhooks/webhooks.tsx')).Webhooks,
  },
  {
    path: 'webhooks/:id',
    needs: 'readWebhook',
    for: 'person',
    load: async () => (await import('../screens/webhooks/webhook.tsx')).WebhookScreen,
  },
  {
    path: 'people',
    needs: 'listMembers',
    for: 'person',
    load: async () => (await import('../screens/people/people.tsx')).People,
  },
  {
    path: 'billing',
    needs: 'readMembership',
    for: 'person',
    load: async () => (await import('../screens/billing/billing.tsx')).Billing,
  },
  {
    path: 'account',
    needs: 'changePassword',
    load: async () => (await import('../screens/account/account.tsx')).Account,
  },
  {
    path: 'organizations',
    needs: 'listOrganizations',
    for: 'operator',
    load: async () => (await import('../screens/organizations/organizations.tsx')).Organizations,
  },
  {
    path: 'service',
    needs: 'readServiceState',
    for: 'operator',
    load: async () => (await import('../screens/service/service.tsx')).ServiceState,
  },
  {
    path: 'approvals',
    needs: 'listEnvAccessForAdmin',
    for: 'operator',
    load: async () => (await import('../screens/approvals/approvals.tsx')).Approvals,
  },
  {
    path: 'audit',
    needs: 'listAudit',
    orNeeds: 'listOwnAudit',
    load: async () => (await import('../screens/audit/audit.tsx')).Audit,
  },
];

export function screenFor(path: string): { entry: ScreenEntry; id: string } | null {
  const [first = '', second, ...rest] = path.split('/');
  if (rest.length > 0) return null;
  const wanted = second === undefined ? first : `${first}/:id`;
  const entry = SCREENS.find((each) => each.path === wanted);
  const id = decoded(second ?? '');
  return entry === undefined || id === null ? null : { entry, id };
}

/** Null for what no address of a screen contains. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
