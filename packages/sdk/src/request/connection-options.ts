/** Connections of the Node transport. */
export interface ConnectionOptions {
  /** Connections per origin for requests answered at once. @default 128 */
  readonly connections?: number | undefined;
  /**
   * Additional connections for letting the service wait for a job's change. Jobs beyond this number are polled
   * instead, so that waits never block other requests. Streams of events have connections of their own. @default 128
   */
  readonly waits?: number | undefined;
  /** Proxy URL; `false` ignores HTTP_PROXY, HTTPS_PROXY and NO_PROXY. @default from the environment */
  readonly proxy?: string | false | undefined;
  /** Trusted PEM certificates instead of the built-in ones, for example of a company's inspection proxy. */
  readonly ca?: string | readonly string[] | undefined;
  /** Milliseconds for establishing a connection. @default 10000 */
  readonly connectTimeoutMs?: number | undefined;
}
