import { Random } from '../codec/random.ts';
import { isObject, type JsonObject } from '../invariants/json.ts';
import { mutationsOf } from '../invariants/mutations.ts';
import { placesOf, withValue } from '../invariants/places.ts';
import { type KnownValues, PlausibleValues } from '../invariants/plausible-values.ts';
import { namespace as corpusNamespace, type Subject } from '../invariants/subjects.ts';

/** What the generators of a case choose from. */
export interface Scope {
  readonly random: Random;
  /** The types that both servers have. */
  readonly subjects: readonly Subject[];
  readonly known: KnownValues;
  /** A namespace of the case. */
  readonly namespace: string;
  /** A word that no other case has. */
  readonly word: string;
}

/** A type as one case uses it. */
export interface Target {
  readonly subject: Subject;
  readonly collection: string;
  readonly object: JsonObject;
  /** The namespace of the case, if its objects are in one. */
  readonly namespace: { readonly namespace?: string };
}

/**
 * The groups whose objects change the answers to other requests, or are written in the background. They are only
 * created in dry runs.
 */
export const dryOnly =
  /^(admissionregistration|flowcontrol\.apiserver|apiextensions|apiregistration)\.k8s\.io$|^internal\.apiserver/;

/** The names of these say what they are. */
const exactNames: ReadonlySet<string> = new Set(['customresourcedefinitions', 'ipaddresses']);

/** Chooses a type and an object that its server accepts, in the namespace of the case or with a name of the case. */
export function chooseTarget(scope: Scope, isEligible: (subject: Subject) => boolean = () => true): Target {
  const { random, namespace, word } = scope;
  const subject = random.pick(scope.subjects.filter(isEligible));
  const { definition } = subject;
  const { group, version, kind, namespaced, resource } = definition;
  const given = random.pick(subject.objects);
  const metadata = { ...(given.metadata as JsonObject) };
  if (metadata.namespace === corpusNamespace) metadata.namespace = namespace;
  if (!namespaced && !exactNames.has(resource)) metadata.name = `${metadata.name}-${word}`;
  return {
    subject,
    collection: subject.collection.replace(`/namespaces/${corpusNamespace}/`, `/namespaces/${namespace}/`),
    object: { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...given, metadata },
    namespace: namespaced ? { namespace } : {},
  };
}

export type Change = (object: JsonObject) => JsonObject;

/** Chooses a change of one field, which is the same for each object that it is applied to. */
export function chooseChange({ random, known }: Scope, { subject, object }: Target, within?: string): Change {
  const { schema } = subject.definition;
  const values = new PlausibleValues(random, known);
  const places = placesOf(schema, object).filter(({ path }) =>
    // Metadata is chosen less often, because it is the same for all kinds.
    within === undefined ? path[0] !== 'status' && (path[0] !== 'metadata' || random.chance(0.1)) : path[0] === within,
  );
  if (places.length === 0) return (one) => one;
  const place = random.pick(places);
  const { value } = random.pick(mutationsOf(place, object, values));
  const seed = random.bits();
  return (one) => {
    // Both servers get the same parents of the field.
    const parents = new PlausibleValues(new Random(seed), known);
    return withValue(one, { path: place.path, kind: schema, values: parents }, value);
  };
}

/** Returns a copy without some of the optional members, at each level. */
export function partOf(object: JsonObject, random: Random): JsonObject {
  const kept = Object.entries(object).filter(([name]) => needed.has(name) || random.chance(0.8));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) && random.chance(0.5) ? partOf(value, random) : value]),
  );
}

const needed: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'name', 'spec']);
