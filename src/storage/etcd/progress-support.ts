/**
 * Whether the progress that a member of this version reports on request is correct. Before 3.4.25 and 3.5.8 it could be
 * ahead of events that had not been sent.
 */
export function reportsProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/, 3).map(Number);
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 25;
  if (minor === 5) return patch >= 8;
  return minor > 5;
}
