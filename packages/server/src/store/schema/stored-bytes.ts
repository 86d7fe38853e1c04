export interface StoredByteTables {
  /** Written by triggers; the sum over the writers is what an organization stores. */
  stored_bytes: {
    organization_id: number;
    /** On PostgreSQL, a connection; 0 holds what was summed up. */
    writer: number;
    bytes: number;
  };
}
