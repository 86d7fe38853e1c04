export interface ArtifactTables {
  artifacts: {
    id: string;
    job_id: string;
    organization_id: number;
    name: string;
    content_type: string;
    size_bytes: number;
    sha256: string;
    chunk_count: number;
    created_at: number;
    expires_at: number;
    /** 1 when the bytes are gone. */
    bytes_removed: number;
  };
  artifact_chunks: {
    artifact_id: string;
    number: number;
    /** Sealed, 256 KiB of plain bytes each. */
    bytes: Uint8Array;
  };
}
