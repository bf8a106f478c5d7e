import type { Attributes, Authorizer } from '../../authz/index.ts';
import type { UserInfo } from '../../meta/user.ts';
import { constrainedModes, type ImpersonationMode, unconstrainedMode } from './impersonation-mode.ts';
import type { RequestedUser } from './requested-user.ts';

/** The maximum number of requesters remembered as unconstrained. */
const maxCachedRequesters = 1000;

/** The permission that the requester lacks. */
export interface Refusal {
  readonly attributes: Attributes;
  readonly reason: string;
}

export interface Impersonated {
  /** The user that the request runs as. */
  readonly user: UserInfo;
  /** The verb of the constrained mode that permits it. Undefined when the requester may do everything as the user. */
  readonly constraint: string | undefined;
}

/** Decides which user may impersonate which. */
export class Impersonation {
  readonly #authorizer: Authorizer;
  /**
   * Requesters that once passed the unconstrained check. Their refusals name that permission instead of the constrained
   * one.
   */
  readonly #unconstrained = new Set<string>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Returns the reason if the requester may not impersonate the wanted user. */
  async impersonate(request: Attributes, wanted: RequestedUser): Promise<Impersonated | { readonly refusal: Refusal }> {
    const requester = request.user;
    let first: Refusal | undefined;
    for (const mode of constrainedModes(requester, wanted)) {
      const refusal = await this.#refusalOf(request, mode);
      if (refusal === undefined) return { user: mode.user, constraint: mode.verb };
      first ??= refusal;
    }
    const mode = unconstrainedMode(wanted);
    const refusal = await this.#refusalOf(request, mode);
    if (refusal === undefined) {
      this.#cache(requester.name);
      return { user: mode.user, constraint: undefined };
    }
    const usesLastRefusal = first === undefined || this.#unconstrained.has(requester.name);
    return { refusal: usesLastRefusal ? refusal : first! };
  }

  async #refusalOf(request: Attributes, { verb, verbOn, identities }: ImpersonationMode) {
    const on = verbOn && (await this.#authorize({ ...request, verb: verbOn(request.verb) }));
    if (on !== undefined) return on;
    for (const resource of identities) {
      const refusal = await this.#authorize({ user: request.user, verb, resource });
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async #authorize(attributes: Attributes): Promise<Refusal | undefined> {
    const { decision, reason } = await this.#authorizer.authorize(attributes);
    return decision === 'allow' ? undefined : { attributes, reason };
  }

  #cache(requester: string): void {
    if (this.#unconstrained.size >= maxCachedRequesters) this.#unconstrained.clear();
    this.#unconstrained.add(requester);
  }
}
