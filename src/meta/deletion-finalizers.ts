import { foregroundFinalizer, orphanFinalizer } from './finalizers.ts';

/** What becomes of the dependents of an object when nobody says: they go, they stay, or there are none. */
export type DefaultDependents = 'deleted' | 'kept' | 'none';

/** What a client may say about them. At most one of the two is set. */
export interface DependentsChoice {
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
}

/**
 * The finalizers of an object whose deletion is asked for: they tell the garbage collector what to do with its dependents. The
 * argument itself when nothing changes. What a client says comes first, then what the object has already, then the default.
 */
export function deletionFinalizers(
  finalizers: readonly string[],
  choice: DependentsChoice,
  byDefault: DefaultDependents = 'deleted',
): readonly string[] {
  const wanted = byDefault === 'none' ? undefined : (chosen(choice) ?? present(finalizers) ?? defaults[byDefault]);
  const others = finalizers.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  const next = wanted ? [...others, wanted] : others;
  const known = new Set(finalizers);
  return next.length === finalizers.length && next.every((name) => known.has(name)) ? finalizers : next;
}

/** Empty: nothing is to be done before the object goes. */
const background = '';
const defaults = { deleted: background, kept: orphanFinalizer };

function chosen({ orphanDependents, propagationPolicy }: DependentsChoice): string | undefined {
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : background;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  return propagationPolicy === 'Background' ? background : undefined;
}

function present(finalizers: readonly string[]): string | undefined {
  return finalizers.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
}
