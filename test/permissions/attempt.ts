import type { Impersonation } from './naive-impersonation.ts';
import type { TestUser } from './permissions-server.ts';
import type { RandomRequest } from './request.ts';
import type { UserClient } from './user-client.ts';

export interface Attempt {
  readonly user: TestUser;
  readonly request: RandomRequest;
  readonly impersonation?: Impersonation | undefined;
}

/** The right answers. Both are right while a change of the rules is under way. */
export interface Answers {
  readonly allowed: boolean;
  readonly denied: boolean;
}

/** Health requests from loopback need no credentials. */
export function isProbe({ user, request, impersonation }: Attempt): boolean {
  return (
    impersonation === undefined && user.name === 'system:anonymous' && /^\/(healthz|livez)(\/|$)/.test(request.path)
  );
}

/**
 * Sends the request and its dry run, and returns the wrong answers. Allowed requests must change nothing, because later
 * ones rely on the state.
 */
export async function faultsOf(client: UserClient, attempt: Attempt, { allowed, denied }: Answers): Promise<string[]> {
  const { user, request, impersonation } = attempt;
  const { method, path, type } = request;
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const dry = { path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, body: request.body };
  const real = { path, body: allowed ? request.harmless : request.body };
  const hasReal = !allowed || !isWrite || request.harmless !== undefined;
  const faults: string[] = [];
  for (const sent of [...(hasReal ? [real] : []), ...(isWrite ? [dry] : [])]) {
    const answer = await client.send(user, { method, type, impersonation, ...sent });
    if (answer.denied ? denied : allowed) continue;
    const as = impersonation === undefined ? '' : ` as ${impersonation.user} ${impersonation.groups.join()}`;
    const right = denied ? 403 : 'let through';
    faults.push(`${user.name}${as}: ${method} ${sent.path}: ${answer.status}, not ${right} ${answer.text}`);
  }
  return faults;
}
