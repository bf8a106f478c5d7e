export type ReviewVersion = 'v1' | 'v1beta1';

/** The first version that a webhook understands and that is known here. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}
