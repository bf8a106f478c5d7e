import { signal } from '@preact/signals';
import { proof, requestJson, unauthorized } from '../api/request.ts';

export interface User {
  readonly username: string;
  readonly groups?: readonly string[];
}

interface Session {
  readonly user: User | null;
  readonly method?: 'session' | 'credentials';
  readonly expiresAt?: string;
  readonly proof?: string;
}

/** Undefined until the server has reported who is signed in. */
export const session = signal<Session | undefined>(undefined);

const path = '/console/session';

/** Signs in with the token in the fragment (`#`) of a link, or requests the current session. */
export async function startSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    proof.clear();
    try {
      return await signIn(token);
    } catch (error) {
      session.value = { user: null };
      throw error;
    }
  }
  await refreshSession();
}

export async function refreshSession(): Promise<void> {
  session.value = await requestJson<Session>(path).catch((error) => {
    if (error.code === 401) return { user: null };
    throw error;
  });
}

export async function signIn(token: string): Promise<void> {
  const { proof: own, ...rest } = await requestJson<Session>(path, { method: 'POST', body: { token } });
  if (own !== undefined) proof.set(own);
  session.value = rest;
}

export async function signOut(): Promise<void> {
  await requestJson(path, { method: 'DELETE' }).catch(() => undefined);
  proof.clear();
  session.value = { user: null };
}

/** A response without a session means that the session has ended. The page keeps the input of the user. */
export function watchSession(): () => void {
  return unauthorized.subscribe((count) => {
    if (count > 0 && session.peek()?.user) refreshSession().catch(() => undefined);
  });
}
