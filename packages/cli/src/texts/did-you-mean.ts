import type { Texts } from './ko.ts';

/** The hint that names the nearest of these names, if one is near. What finds it is loaded for a mistake alone. */
export async function didYouMean(
  given: string,
  names: readonly string[],
  texts: Texts,
): Promise<string[]> {
  const { nearest } = await import('@changgu/sdk/catalogue');
  const meant = nearest(given, names);
  return meant === null ? [] : [texts.didYouMean(meant)];
}
