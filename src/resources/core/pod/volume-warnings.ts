import { goQuote } from '../../../meta/go-quote.ts';
import { isWholeQuantity } from '../../validation/quantities.ts';
import type { VolumeProjection } from '../projected-volume-types.ts';
import type { Volume } from '../volume-types.ts';

/** Volume types that no longer work, their names in the warnings, and the text of the warnings. */
const removedKinds: readonly (readonly [keyof Volume, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
];
const laterRemovedKinds: readonly (readonly [keyof Volume, string])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function volumeWarnings(volumes: readonly Volume[], field: string): string[] {
  const warnings: string[] = [];
  for (const [index, volume] of volumes.entries()) {
    const path = `${field}[${index}]`;
    for (const [kind, name, text] of removedKinds) {
      if (volume[kind] !== undefined) warnings.push(`${path}.${name}: ${text}`);
    }
    const storage = volume.ephemeral?.volumeClaimTemplate?.spec?.resources?.requests?.storage;
    if (storage !== undefined && !isWholeQuantity(storage)) {
      const at = `${path}.ephemeral.volumeClaimTemplate.spec.resources.requests[storage]`;
      warnings.push(`${at}: fractional byte value ${goQuote(storage)} is invalid, must be an integer`);
    }
    for (const [kind, text] of laterRemovedKinds) {
      if (volume[kind] !== undefined) warnings.push(`${path}.${kind}: ${text}`);
    }
  }
  for (const volume of volumes) if (listsFiles(volume)) warnings.push(...overlapWarnings(volume));
  return warnings;
}

function listsFiles({ configMap, secret, downwardAPI, projected }: Volume): boolean {
  return (
    configMap?.items !== undefined ||
    secret?.items !== undefined ||
    downwardAPI?.items !== undefined ||
    projected !== undefined
  );
}

/** Warns about files of one volume that have the same path or would be the directory of another file. */
function overlapWarnings({ name = '', configMap, secret, downwardAPI, projected }: Volume): string[] {
  const warnings: string[] = [];
  const check = (items: readonly { path?: string }[] | undefined, source: Source) => {
    if (items !== undefined) warnings.push(...overlaps(pathsOf(items), { volume: name, source }));
  };
  check(configMap?.items, { kind: 'ConfigMap', name: configMap?.name });
  check(secret?.items, { kind: 'Secret', name: secret?.secretName });
  check(downwardAPI?.items, { kind: 'DownwardAPI' });
  if (projected !== undefined && isSimple(projected.sources ?? [])) return warnings;
  const all = new Set<string>();
  for (const projection of projected?.sources ?? []) {
    if (Object.values(projection).every((projectedSource) => projectedSource === undefined)) {
      warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
      continue;
    }
    const source = projectedFiles(projection);
    if (source === undefined || source.paths.length === 0) continue;
    const at = { volume: name, source, isProjected: true };
    warnings.push(...overlaps(source.paths, at));
    const own = new Set(source.paths);
    if (own.size + all.size > 1) warnings.push(...overlaps([...own, ...all].sort(), at));
    for (const path of own) all.add(path);
  }
  return warnings;
}

/** Most volumes project a few files with different paths, such as the token of a service account. */
const maxSimple = 8;

/**
 * Whether there is nothing to warn about because the sources have few files and no path is the beginning of another.
 */
function isSimple(sources: readonly VolumeProjection[]): boolean {
  const all: string[] = [];
  for (const projection of sources) {
    const paths = projectedFiles(projection)?.paths;
    if (paths === undefined || all.length + paths.length > maxSimple) return false;
    for (const path of paths) {
      if (path.endsWith('/')) return false;
      for (const other of all) if (path.startsWith(other) || other.startsWith(path)) return false;
      all.push(path);
    }
  }
  return true;
}

/** The sources of the files of a volume. */
interface Source {
  readonly kind: 'ConfigMap' | 'Secret' | 'DownwardAPI' | 'ServiceAccountToken';
  /** The name of the config map or secret. */
  readonly name?: string | undefined;
}

interface ProjectedFiles extends Source {
  readonly paths: readonly string[];
}

function projectedFiles(projection: VolumeProjection): ProjectedFiles | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  if (configMap?.items !== undefined) {
    return { kind: 'ConfigMap', name: configMap.name, paths: pathsOf(configMap.items) };
  }
  if (secret?.items !== undefined) return { kind: 'Secret', name: secret.name, paths: pathsOf(secret.items) };
  if (downwardAPI?.items !== undefined) return { kind: 'DownwardAPI', paths: pathsOf(downwardAPI.items) };
  if (serviceAccountToken === undefined) return undefined;
  return { kind: 'ServiceAccountToken', paths: [serviceAccountToken.path ?? ''] };
}

function pathsOf(items: readonly { path?: string }[]): string[] {
  return items.map(({ path = '' }) => path);
}

interface FilesAt {
  readonly volume: string;
  readonly source: Source;
  readonly isProjected?: boolean;
}

function overlaps(paths: readonly string[], at: FilesAt): string[] {
  if (paths.length === 1) return [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const trimmed = path.endsWith('/') ? path.replace(/\/+$/, '') : path;
    const other = seen.values().find((one) => isOverlap(one, trimmed));
    if (other !== undefined && other !== '' && trimmed !== '') {
      warnings.push(`${titleOf(at)}: overlapping paths: ${goQuote(trimmed)} with ${goQuote(other)}`);
    }
    seen.add(trimmed);
  }
  return warnings;
}

function titleOf({ volume, source: { kind, name }, isProjected = false }: FilesAt): string {
  const hasName = kind === 'ConfigMap' || kind === 'Secret';
  const source = hasName ? `${kind} ${goQuote(name ?? '')}` : kind;
  return `volume ${goQuote(volume)} (${isProjected ? 'Projected ' : ''}${source})`;
}

function isOverlap(one: string, other: string): boolean {
  return one === other || `${one}/`.startsWith(other) || `${other}/`.startsWith(one);
}
