import type { UserInfo } from '../meta/user.ts';
import { parsePolicy } from './parse-policy.ts';
import { type Candidate, candidatesFor } from './policy-candidates.ts';
import type { AuditConfig, PolicyDocument, PolicyTarget } from './policy-document.ts';

/** A request as far as a policy looks at it. */
export interface PolicySubject {
  /** Undefined when nobody knows. */
  readonly user: UserInfo | undefined;
  readonly info: {
    readonly verb: string;
    readonly path: string;
    readonly target: PolicyTarget | undefined;
  };
}

/** Where the object of a request is. */
export interface PolicyResource {
  readonly namespace: string;
  readonly name: string;
}

type ByTarget = Map<string, Map<string, Map<string, readonly Candidate[]>>>;

/** What clients ask for may be anything, so it is not remembered without end. */
const mostRemembered = 4096;
const notAudited: AuditConfig = { level: 'None', omitted: new Set(), omitManagedFields: false };

/**
 * Says for every request how much of it is kept. The rules that can match a verb and a resource are picked out once; after
 * that a request costs a few lookups and makes nothing.
 */
export class AuditPolicy {
  #document: PolicyDocument;
  readonly #ofPaths = new Map<string, readonly Candidate[]>();
  readonly #ofResources = new Map<string, ByTarget>();
  #remembered = 0;

  /** Throws a RangeError for a policy that is none. */
  constructor(content: string | Buffer) {
    this.#document = parsePolicy(content);
  }

  /** Another policy for the requests from here on. Throws as the constructor does, and then the old one stays. */
  replace(content: string | Buffer): void {
    this.#document = parsePolicy(content);
    this.#forget();
  }

  /** The first rule that matches decides. `resourceOf` is asked only where it matters, and only on resources. */
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
    return this.#ofPaths.get(verb) ?? this.#remember(this.#ofPaths, verb, candidatesFor(this.#document, { verb }));
  }

  #resourceCandidates(verb: string, target: PolicyTarget): readonly Candidate[] {
    const { group, resource, subresource } = target;
    const known = this.#ofResources.get(verb)?.get(resource)?.get(group)?.get(subresource);
    if (known !== undefined) return known;
    const candidates = candidatesFor(this.#document, { verb, target });
    if (this.#remembered >= mostRemembered) this.#forget();
    const groups = entry(entry(entry(this.#ofResources, verb), resource), group);
    return this.#remember(groups, subresource, candidates);
  }

  #remember(among: Map<string, readonly Candidate[]>, key: string, candidates: readonly Candidate[]) {
    this.#remembered++;
    among.set(key, candidates);
    return candidates;
  }

  #forget(): void {
    this.#ofPaths.clear();
    this.#ofResources.clear();
    this.#remembered = 0;
  }
}

function entry<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}

/** Everything that the verb and the resource do not say yet. */
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
