export interface StoredByteTables {
  /** Written by triggers; a sum over the writers is what an organization stores. */
  stored_bytes: {
    organization_id: number;
    /** Of PostgreSQL, a connection; 0 is what was summed up. */
    writer: number;
    bytes: number;
  };
}
