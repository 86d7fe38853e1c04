/** Headers of an answer about a job whose product version is deprecated. */
export const DEPRECATION = {
  Deprecation: 'Since when the version that the job carries is deprecated; only on those',
  Sunset: 'When that version is retired',
};
