import { signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import type { ApiObject } from '../api/api-object.ts';
import { type FollowState, follow, type WatchEvent } from '../api/follow.ts';
import { requestJson } from '../api/request.ts';
import { apiVersionOf, type ResourceType, resourcePath } from '../api/resource-type.ts';

/** Follows one object. */
export class ObjectSource {
  readonly object = signal<ApiObject | undefined>(undefined);
  /** Whether the object existed and was deleted. Its last version stays. */
  readonly isGone = signal(false);
  readonly isMissing = signal(false);
  readonly state = signal<FollowState>('listing');
  readonly error = signal<ApiError | undefined>(undefined);

  run(type: ResourceType, at: { namespace: string | undefined; name: string }, stop: AbortSignal): void {
    const path = resourcePath(type, { namespace: at.namespace });
    const query = { fieldSelector: `metadata.name=${at.name}` };
    // Items of lists have no kind and apiVersion.
    const take = (object: ApiObject) => {
      this.object.value = { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
      this.isGone.value = false;
      this.isMissing.value = false;
    };
    const lose = () => {
      if (this.object.value) this.isGone.value = true;
      else this.isMissing.value = true;
    };
    const follower = {
      listing: () => undefined,
      page: ({ items }: { readonly items?: readonly ApiObject[] }) => {
        if (items?.[0]) take(items[0]);
        else lose();
      },
      listed: () => undefined,
      events: (events: readonly WatchEvent<ApiObject>[]) => {
        const last = events.at(-1)!;
        take(last.object);
        if (last.type === 'DELETED') lose();
      },
      state: (state: FollowState, error?: ApiError) => {
        this.state.value = state;
        this.error.value = error;
        // Some users may get an object by name but may not list its type.
        if (state === 'denied') void this.#read(resourcePath(type, at), take, stop);
      },
    };
    void follow({ path, query, isWatchable: type.verbs.includes('watch') }, follower, stop);
  }

  async #read(path: string, take: (object: ApiObject) => void, stop: AbortSignal): Promise<void> {
    try {
      take(await requestJson<ApiObject>(path, { signal: stop }));
      this.error.value = undefined;
    } catch (error) {
      if (!stop.aborted) this.error.value = error as ApiError;
    }
  }
}
