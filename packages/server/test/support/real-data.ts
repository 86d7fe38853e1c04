/** The business data of a result; fails the test where there is none, or only sandbox's. */
export function realData<Data extends object>(
  data: Data | { mock: true } | null,
): Exclude<Data, { mock: true }> {
  if (data === null || 'mock' in data) throw new Error('the job has no business data');
  // What is not sandbox's is the action's own.
  return data as Exclude<Data, { mock: true }>;
}
