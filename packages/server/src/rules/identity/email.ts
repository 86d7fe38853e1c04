/** Email addresses are case-insensitive, and pasted ones may have spaces around them. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
