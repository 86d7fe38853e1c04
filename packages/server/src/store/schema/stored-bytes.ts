export interface StoredByteTables {
  /** Written by triggers; the sum of its rows is what an organization stores. */
  stored_bytes: {
    organization_id: number;
    /** On PostgreSQL in the order of transactions: odd is the change of one, even the sum of all before it. */
    writer: number;
    bytes: number;
  };
}
