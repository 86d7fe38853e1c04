import { KEY_LENGTH } from './idempotency/key-length.ts';

/** Fixed limits of the specification ("Limits") and its decisions. Configurable settings are in environment.ts. */
export const LIMITS = {
  /** Idempotency-Key length in ASCII characters. */
  idempotencyKey: KEY_LENGTH,
  /** Bytes of plain text in one RSA-OAEP piece. */
  rsaPlainBytes: 446,
  /** Bytes of one encrypted piece. */
  rsaCipherBytes: 512,
  /** Bits of the encryption key. */
  rsaKeyBits: 4096,
  /** Shortest encrypted value, in base64 characters. */
  encryptedValueMinLength: 16,
  /**
   * Longest encrypted value, in base64 characters.
   * @see docs/specification/submission.md#d34
   */
  encryptedValueMaxLength: 64 * 1024,
  /**
   * RSA blocks of all encrypted fields of one request together.
   * @see docs/specification/submission.md#d34
   */
  rsaPiecesPerRequest: 32,
  /**
   * Request body in bytes, unless stated otherwise.
   * @see docs/specification/submission.md#d166
   */
  bodyBytes: 256 * 1024,
  /** Request body of calls that anyone may make, and of those that prove a password. */
  smallBodyBytes: 16 * 1024,
  /** Request body of a deletion, whose reason may be 2,000 characters that the client escapes: 12 bytes each. */
  deletionBodyBytes: 32 * 1024,
  /** Request body of all-accounts, whose `next` may contain every account of a call, and of products with their hints. */
  largeBodyBytes: 1024 * 1024,
  /** Values in one request body, and members of one object in it. */
  bodyNodes: 25_000,
  objectMembers: 1_000,
  /** The same for a body that holds objects of any form: as many as fit into three hints, and as deep as JSON is written. */
  freeFormNodes: 100_000,
  freeFormDepth: 1_000,
  /**
   * Params as JSON, in bytes.
   * @see docs/specification/submission.md#d166
   */
  paramsBytes: 64 * 1024,
  /** Members and elements of params, at all levels together. */
  paramsNodes: 1_000,
  /**
   * Nesting of params.
   * @see docs/specification/submission.md#d34
   */
  paramsDepth: 20,
  /** Signed download URLs, in seconds. */
  artifactUrlSeconds: 900,
  /** Retention of artifacts, in days. */
  artifactRetentionDays: 7,
  /** Bank accounts named in one all-accounts request: as many as fit into a body (ADR 0015). */
  accountIdsPerRequest: 20_000,
  /**
   * Longest Prefer: wait, in seconds.
   * @see docs/specification/job-life-cycle.md#d137
   */
  preferWaitSeconds: 30,
  /** Open event streams per caller and process. */
  eventStreams: 20,
  /** Webhook endpoints per organization. */
  webhooks: 20,
  /** Length of a webhook URL, in characters. */
  webhookUrlLength: 2_048,
  /** Largest numeric id: four bytes in the database. */
  id: 2_147_483_647,
  /** Page sizes of lists. */
  page: { min: 1, max: 100, default: 20 },
  /** Lines of an all-accounts call per page. */
  linesPerPage: 500,
  /** Maximum number of jobs in one summary. */
  summarizedJobs: 50_000,
} as const;
