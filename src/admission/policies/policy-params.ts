import { parseApiVersion } from '../../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { objectLabelSelector } from '../../meta/object-label-selector.ts';
import type { ObjectReader, StoredType } from '../../meta/object-reader.ts';
import type { KindFinder, ServedKind } from '../kind-finder.ts';
import type { BindingSpec, ParamRef, PolicySpec } from './policy-objects.ts';

/** A policy or a binding that cannot be used. The failure policy decides the result. */
export class ConfigurationError extends Error {}

/** The type of the parameters of a policy. Undefined without parameters. Throws a ConfigurationError. */
export function paramTypeOf({ paramKind }: PolicySpec, kinds: KindFinder): ServedKind | undefined {
  if (paramKind === undefined) return undefined;
  const { group, version } = parseApiVersion(paramKind.apiVersion ?? '');
  const kind = paramKind.kind ?? '';
  const found = kinds.findKind({ group, version, kind });
  if (found !== undefined) return found;
  const text = `${group}/${version}, Kind=${kind}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${text}'`);
}

interface ParamOptions {
  readonly type: ServedKind | undefined;
  /** The namespace of the request. */
  readonly namespace: string;
  readonly objects: ObjectReader;
}

const noParams: readonly undefined[] = [undefined];

/**
 * The parameters with which a policy is evaluated for a binding, one after the other. Undefined is an evaluation
 * without one. Throws a ConfigurationError.
 */
export function paramsOf(
  { paramRef }: BindingSpec,
  { paramKind }: PolicySpec,
  { type, namespace, objects }: ParamOptions,
): MaybePromise<readonly (ResourceObject | undefined)[]> {
  if (type === undefined || paramRef === undefined) return noParams;
  const { storedType } = type;
  if (storedType === undefined) {
    const text = `&ParamKind{APIVersion:${paramKind?.apiVersion},Kind:${paramKind?.kind},}`;
    throw new ConfigurationError(`paramKind kind \`${text}\` not yet synced to use for admission`);
  }
  const found = findParams(paramRef, { storedType, namespace: paramNamespace(paramRef, type, namespace), objects });
  return mapMaybe(found, (params) => {
    if (params.length === 0 && paramRef.parameterNotFoundAction === 'Deny') {
      throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return params;
  });
}

function paramNamespace({ namespace = '' }: ParamRef, { namespaced }: ServedKind, requested: string): string {
  if (!namespaced) {
    if (namespace === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const found = namespace === '' ? requested : namespace;
  if (found !== '') return found;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

function findParams(
  { name = '', selector }: ParamRef,
  { storedType, namespace, objects }: { storedType: StoredType; namespace: string; objects: ObjectReader },
): MaybePromise<readonly ResourceObject[]> {
  if (name !== '' && selector !== undefined) {
    throw new ConfigurationError('paramRef.name and paramRef.selector are mutually exclusive');
  }
  if (name !== '') {
    return mapMaybe(objects.get(storedType, { namespace, name }), (found) => (found === undefined ? [] : [found]));
  }
  if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
  const labels = objectLabelSelector(selector);
  return mapMaybe(objects.list(storedType, namespace), (listed) =>
    listed.filter(({ metadata }) => labels.matches(metadata.labels)),
  );
}
