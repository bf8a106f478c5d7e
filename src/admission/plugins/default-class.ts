import type { ResourceObject } from '../../meta/object.ts';

/**
 * Returns the default class. Of several default classes the newest is used, and of equally old ones the first by name.
 */
export function defaultClass(classes: readonly ResourceObject[], annotation: string): string | undefined {
  const defaults = classes.filter(({ metadata }) => metadata.annotations?.[annotation] === 'true');
  const created = ({ metadata }: ResourceObject): string => metadata.creationTimestamp ?? '';
  const name = ({ metadata }: ResourceObject): string => metadata.name ?? '';
  defaults.sort((left, right) =>
    created(left) === created(right) ? (name(left) < name(right) ? -1 : 1) : created(left) > created(right) ? -1 : 1,
  );
  return defaults[0]?.metadata.name;
}
