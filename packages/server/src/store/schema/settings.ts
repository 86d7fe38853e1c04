export interface SettingTables {
  settings: {
    /** e.g. `clock_offset_ms`, `master_key_check`. */
    name: string;
    value: string;
  };
}
