/** Status and code of an answer, in one string to compare: `404 JOB_NOT_FOUND`. */
export async function errorOf(
  answer: Promise<{
    readonly status: number;
    readonly body: { readonly error?: { code: string } };
  }>,
): Promise<string> {
  const { status, body } = await answer;
  return `${status} ${body.error?.code}`;
}

/** The statuses of several answers, whichever came first. */
export function statusesOf(answers: readonly { readonly status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}
