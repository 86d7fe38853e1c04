/** The subject of each tag, in the order of the documentation. */
export const TAGS: Readonly<Record<string, string>> = {
  jobs: 'Submit institution calls, follow them, read their results.',
  artifacts: 'Files that jobs produced.',
  events: 'What has happened, as pages and as a stream.',
  webhooks: 'Endpoints that events are sent to, as signed messages.',
  receipts: 'Signed proof of what took effect, and the keys that verify it.',
  encryption: 'The public key for `encrypted_fields` and credentials.',
  credentials: 'Links to institutions: certificates, ids with password, consents.',
  'bank-accounts': 'Bank accounts registered on a link.',
  institutions: 'The institutions, their state and their actions.',
  'tax-portal':
    'The synchronous path family of the tax portal: each call runs a job and waits for it.',
  tools: 'Actions as tools over JSON-RPC (Model Context Protocol).',
  catalog: 'Products and their versions.',
  members: 'Who belongs to the organization: invitations, roles, removal, ownership.',
  account: 'Console accounts: registration, login, consents, deletion, applications.',
  'app-credentials': 'Client ids and secrets.',
  membership: 'Plan, quota and rate limit of the caller.',
  billing: 'Invoices, subscriptions and billing profiles.',
  audit: 'What happened in the organization: who did what, when and where from.',
  admin: 'What operators decide.',
  system: 'Health and the test clock.',
};
