/** Version of this package; a release writes it, and a test keeps it equal to package.json. */
export const VERSION = '0.1.0';
