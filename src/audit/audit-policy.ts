import type { UserInfo } from '../meta/user.ts';
import { parsePolicy } from './parse-policy.ts';
import { type Candidate, candidatesFor } from './policy-candidates.ts';
import type { AuditConfig, PolicyDocument, PolicyTarget } from './policy-document.ts';

/** The properties of a request that a policy examines. */
export interface PolicySubject {
  /** Undefined for an unauthenticated request. */
  readonly user: UserInfo | undefined;
  readonly info: {
    readonly verb: string;
    readonly path: string;
    readonly target: PolicyTarget | undefined;
  };
}

/** The namespace and name of the object. */
export interface PolicyResource {
  readonly namespace: string;
  readonly name: string;
}

type ByTarget = Map<string, Map<string, Map<string, readonly Candidate[]>>>;

/** Clients choose these values, so the cache is bounded. */
const maxCached = 4096;
const notAudited: AuditConfig = { level: 'None', omitted: new Set(), omitManagedFields: false };

/**
 * Determines the audit level of each request. The candidate rules for a verb and a resource are computed once. After
 * that a decision takes a few lookups and no allocation.
 */
export class AuditPolicy {
  #document: PolicyDocument;
  readonly #ofPaths = new Map<string, readonly Candidate[]>();
  readonly #ofResources = new Map<string, ByTarget>();
  #cached = 0;

  /** Throws a RangeError for an invalid policy. */
  constructor(content: string | Buffer) {
    this.#document = parsePolicy(content);
  }

  /** Replaces the policy for later requests. Throws like the constructor and then keeps the old policy. */
  replace(content: string | Buffer): void {
    this.#document = parsePolicy(content);
    this.#forget();
  }

  /**
   * The first matching rule decides. `resourceOf` is called only when a rule needs it, and only for resource requests.
   */
  decide<S extends PolicySubject>(subject: S, resourceOf: (subject: S) => PolicyResource): AuditConfig {
    const { verb, target } = subject.info;
    const candidates = target === undefined ? this.#pathCandidates(verb) : this.#resourceCandidates(verb, target);
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index]!;
      if (matches(candidate, subject, resourceOf)) return candidate.config;
    }
    return notAudited;
  }

  #pathCandidates(verb: string): readonly Candidate[] {
    return this.#ofPaths.get(verb) ?? this.#cache(this.#ofPaths, verb, candidatesFor(this.#document, { verb }));
  }

  #resourceCandidates(verb: string, target: PolicyTarget): readonly Candidate[] {
    const { group, resource, subresource } = target;
    const known = this.#ofResources.get(verb)?.get(resource)?.get(group)?.get(subresource);
    if (known !== undefined) return known;
    const candidates = candidatesFor(this.#document, { verb, target });
    if (this.#cached >= maxCached) this.#forget();
    const groups = entry(entry(entry(this.#ofResources, verb), resource), group);
    return this.#cache(groups, subresource, candidates);
  }

  #cache(among: Map<string, readonly Candidate[]>, key: string, candidates: readonly Candidate[]) {
    this.#cached++;
    among.set(key, candidates);
    return candidates;
  }

  #forget(): void {
    this.#ofPaths.clear();
    this.#ofResources.clear();
    this.#cached = 0;
  }
}

function entry<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}

/** Checks everything except verb and resource. */
function matches<S extends PolicySubject>(
  { users, userGroups, namespaces, names, urls }: Candidate,
  subject: S,
  resourceOf: (subject: S) => PolicyResource,
): boolean {
  const { user } = subject;
  if (users !== undefined && !(user !== undefined && users.has(user.name))) return false;
  if (userGroups !== undefined && !(user !== undefined && hasAny(userGroups, user.groups))) return false;
  if (urls !== undefined && !urls.some((url) => pathMatches(subject.info.path, url))) return false;
  if (namespaces === undefined && names === undefined) return true;
  const { namespace, name } = resourceOf(subject);
  return (namespaces === undefined || namespaces.has(namespace)) && (names === undefined || names.has(name));
}

function hasAny(wanted: ReadonlySet<string>, groups: readonly string[]): boolean {
  for (let index = 0; index < groups.length; index++) {
    if (wanted.has(groups[index]!)) return true;
  }
  return false;
}

function pathMatches(path: string, url: string): boolean {
  if (!url.endsWith('*')) return path === url;
  return path.startsWith(url.slice(0, -1)) || path === url;
}
