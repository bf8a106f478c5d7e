import { HttpTarget, type HttpTargetOptions } from '../http-target.ts';
import type { ServerAccess } from '../server-access.ts';

export interface WebhookTarget extends HttpTargetOptions {
  readonly access: ServerAccess;
  /** Whether the host in the URL is the name of a service. */
  readonly isService: boolean;
}

interface Shared {
  readonly target: HttpTarget;
  users: number;
}

/**
 * The servers of webhooks. Webhooks at different paths of a server share its connections, if they also trust the same
 * CA.
 */
export class WebhookTargets {
  readonly #shared = new Map<string, Shared>();

  /** Call `release` when the target is no longer used. */
  take({ access, isService, ...options }: WebhookTarget): {
    readonly target: HttpTarget;
    readonly release: () => void;
  } {
    const key = JSON.stringify([access.url.origin, access.ca, isService]);
    const shared = this.#shared.get(key) ?? { target: new HttpTarget(access, options), users: 0 };
    this.#shared.set(key, shared);
    shared.users++;
    const release = (): void => {
      if (--shared.users > 0) return;
      this.#shared.delete(key);
      shared.target.close();
    };
    return { target: shared.target, release };
  }
}
