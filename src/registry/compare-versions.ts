const versionPattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stabilities = ['alpha', 'beta', undefined];

/** Sorts preferred versions first: v2, v1, v2beta2, v2beta1, v1alpha1, then all other names alphabetically. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionPattern.exec(a), versionPattern.exec(b)];
  if (left === null || right === null) {
    if (left !== null || right !== null) return left !== null ? -1 : 1;
    return a < b ? -1 : Number(a > b);
  }
  return (
    stabilities.indexOf(right[2]) - stabilities.indexOf(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
