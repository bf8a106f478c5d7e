import { type Attributes, type Authorizer, type Decision, readSelectors } from '../../authz/index.ts';
import { type AccessCheck, type AccessDecision, AuthorizerValue, type CheckedResource } from '../../cel/index.ts';
import { Pending } from '../../meta/pending.ts';
import { serviceAccountUser, type UserInfo } from '../../meta/user.ts';
import type { AdmissionRequest } from '../admission-request.ts';

/**
 * The authorizer decisions that the expressions for one request need. Each check is made once. An expression whose
 * decision is not available yet is stopped with `Pending`, see `untilReady`.
 */
export class AccessChecks {
  readonly #authorizer: Authorizer;
  readonly #request: AdmissionRequest;
  readonly #decisions = new Map<string, AccessDecision>();
  #requestResource: unknown;
  /** The variable `authorizer`. */
  readonly authorizer = new AuthorizerValue((check) => this.#decide(check));

  constructor(authorizer: Authorizer, request: AdmissionRequest) {
    this.#authorizer = authorizer;
    this.#request = request;
  }

  /** The variable `authorizer.requestResource`. */
  get requestResource(): unknown {
    this.#requestResource ??= this.#resourceOfRequest();
    return this.#requestResource;
  }

  #resourceOfRequest(): unknown {
    const { resource, subresource, namespace, name } = this.#request;
    return this.authorizer.resource({
      group: resource.group,
      resource: resource.resource,
      subresource,
      namespace,
      name,
    });
  }

  #decide(check: AccessCheck): AccessDecision {
    const { verb, serviceAccount, path, resource } = check;
    const key = JSON.stringify([verb, serviceAccount, path, resource]);
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const decided = this.#authorizer.authorize(attributesOf(check, this.#request.user));
    if (!(decided instanceof Promise)) return this.#keep(key, decided);
    throw new Pending(
      'an authorization',
      decided.then((decision) => this.#keep(key, decision)),
    );
  }

  #keep(key: string, { decision, reason, error }: Decision): AccessDecision {
    const kept = { isAllowed: decision === 'allow', reason, error };
    this.#decisions.set(key, kept);
    return kept;
  }
}

function attributesOf({ verb, serviceAccount, path, resource }: AccessCheck, caller: UserInfo): Attributes {
  const user =
    serviceAccount === undefined ? caller : serviceAccountUser(serviceAccount.namespace, serviceAccount.name);
  if (resource === undefined) return { user, verb, path: path ?? '' };
  const { fieldSelector, labelSelector, ...names }: CheckedResource = resource;
  return {
    user,
    verb,
    resource: { ...names, version: '*' },
    selectors: () => readSelectors({ fields: fieldSelector, labels: labelSelector }),
  };
}
