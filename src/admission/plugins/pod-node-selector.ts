import { fieldErrorText, invalidValue } from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { forbidden, internalError, StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { mergedMap } from './merged-map.ts';
import { namespaces } from './namespaces.ts';

type Selector = Readonly<Record<string, string>>;

/** Selectors as `key=value,...`: that of `clusterDefaultNodeSelector`, and what pods of a namespace may select. */
export type NodeSelectorConfiguration = Readonly<Record<string, string>>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const defaultKey = 'clusterDefaultNodeSelector';

/** Adds the node selector of a namespace to its pods, and limits what they select. */
export function podNodeSelector(configuration: NodeSelectorConfiguration): AdmissionPlugin {
  const configured = (key: string): string => (Object.hasOwn(configuration, key) ? configuration[key]! : '');
  const selectorOf = ({ namespace }: AdmissionRequest, objects: ObjectReader): MaybePromise<Selector> =>
    mapMaybe(objects.get(namespaces, { namespace: '', name: namespace }), (found) => {
      if (found === undefined) throw internalError(`namespace ${namespace} does not exist`);
      return parseNodeSelector(found.metadata.annotations?.[annotation] ?? configured(defaultKey));
    });
  return {
    name: 'PodNodeSelector',
    rules: [{ operations: ['CREATE'], resources: ['/pods'] }],
    mutate: (request, objects) =>
      mapMaybe(selectorOf(request, objects), (selector) => {
        checkConflict(request, selector);
        if (Object.keys(selector).length === 0) return;
        const spec = request.object.spec as object | undefined;
        request.object.spec = { ...spec, nodeSelector: mergedMap(selector, podSelector(request.object)) };
      }),
    validate: (request, objects) =>
      mapMaybe(selectorOf(request, objects), (selector) => {
        checkConflict(request, selector);
        const allowed = parseNodeSelector(configured(request.namespace));
        const isOther = ([key, value]: [string, string]): boolean => allowed[key] !== value;
        if (Object.keys(allowed).length === 0 || !Object.entries(podSelector(request.object)).some(isOther)) return;
        throw refusedPod(request, 'pod node label selector labels conflict with its namespace whitelist');
      }),
  };
}

function checkConflict(request: AdmissionRequest, selector: Selector): void {
  const own = podSelector(request.object);
  if (!Object.keys(selector).some((key) => Object.hasOwn(own, key) && own[key] !== selector[key])) return;
  throw refusedPod(request, 'pod node label selector conflicts with its namespace node label selector');
}

function refusedPod({ resource, object }: AdmissionRequest, detail: string): StatusError {
  return forbidden(resource, object.metadata.name ?? '', detail);
}

function podSelector({ spec }: ResourceObject): Selector {
  return ((spec ?? {}) as { nodeSelector?: Selector | null }).nodeSelector ?? {};
}

/** Throws a StatusError: annotations are not validated when they are written. */
function parseNodeSelector(text: string): Selector {
  if (text === '') return {};
  const entries = text.split(',').map((term) => {
    const [key = '', value, ...more] = term.split('=').map((side) => side.trim());
    if (value === undefined || more.length > 0) throw wrongSelector(`invalid selector: [${term.split('=').join(' ')}]`);
    const problems = [...labelKeyErrors(key), ...labelValueErrors(value)];
    if (problems.length > 0)
      throw wrongSelector(fieldErrorText(invalidValue('<nil>', term.trim(), problems.join('; '))));
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function wrongSelector(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
