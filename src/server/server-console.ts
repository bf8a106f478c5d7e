import { fileURLToPath } from 'node:url';
import type { AuthenticationChain, Authenticator } from '../authn/index.ts';
import type { Authorizer } from '../authz/index.ts';
import type { SignIn, SignIns } from '../console/index.ts';
import type { Filter } from '../http/pipeline.ts';
import type { UserInfo } from '../meta/user.ts';
import { proxyHeaders } from './identity/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';

/** The parts of the console that are added to the server. All of them are empty when the console is off. */
export interface ServerConsole {
  /** Before authentication: the files of the pages. */
  readonly filters: readonly Filter[];
  /** After authorization. */
  readonly endpoints: readonly Filter[];
  /** Before the other authenticators. */
  readonly authenticators: readonly Authenticator[];
  /** After the other authenticators. */
  readonly visitors: readonly Authenticator[];
  /** Adds the permissions for the endpoints. */
  readonly withRights: (authorizer: Authorizer) => Authorizer;
  /** The sign-ins of all threads, in the thread that keeps them. */
  readonly signIns: SignIns | undefined;
  /** Creates the path of a sign-in link for the administrator. */
  readonly signInPath: (() => string) | undefined;
}

export interface ServerConsoleDependencies {
  readonly options: ResolvedOptions;
  readonly material: KeyMaterial;
  readonly authenticate: AuthenticationChain['authenticate'];
  /** The sign-ins of another thread, if this thread does not keep them. */
  readonly signIns: SignIns | undefined;
}

// The pages are in the folder of the bundle.
const pages = new URL(import.meta.url.endsWith('.ts') ? '../../dist/console/' : './console/', import.meta.url);

/** The user of the admin kubeconfig. */
const admin: UserInfo = {
  name: 'kubernetes-admin',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

const none: ServerConsole = {
  filters: [],
  endpoints: [],
  authenticators: [],
  visitors: [],
  withRights: (authorizer) => authorizer,
  signIns: undefined,
  signInPath: undefined,
};

/** Loads the console if it is on. */
export async function serverConsole(dependencies: ServerConsoleDependencies): Promise<ServerConsole> {
  const { options, material, authenticate } = dependencies;
  if (!options.console) return none;
  const { Console, OwnSignIns, signInPath, withConsoleRights } = await import('../console/index.ts');
  const own = new OwnSignIns();
  const signIns = dependencies.signIns ?? own;
  const opened = await Console.open({
    directory: fileURLToPath(pages),
    signIns,
    isLocalOnly: options.console === 'loopback',
    servingCert: () => material.cert,
    authenticate,
    isIdentifying: identifyingHeaders(options),
    onSignIn: ({ user, owner }) => {
      const impersonator = owner.name === user.name ? undefined : owner.name;
      options.log.info('signed in to the console', { user: user.name, impersonator });
    },
  });
  return {
    filters: [opened.pages],
    endpoints: [opened.endpoints],
    authenticators: [opened.authenticator],
    visitors: [opened.visitors],
    withRights: withConsoleRights,
    signIns,
    signInPath: () => signInPath(own.makeLink(byServer(admin)).token),
  };
}

/** A sign-in for which the server itself vouches. */
function byServer(user: UserInfo): SignIn {
  return { user, owner: user, credential: undefined, impersonated: undefined, endsAt: undefined };
}

/** The headers by which the authenticators identify users. */
function identifyingHeaders(options: ResolvedOptions): (name: string) => boolean {
  const { usernameHeaders, groupHeaders, uidHeaders, extraHeaderPrefixes } = proxyHeaders(options);
  const lowerCase = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());
  const names = new Set(['authorization', ...lowerCase([...usernameHeaders, ...groupHeaders, ...uidHeaders])]);
  const prefixes = lowerCase(extraHeaderPrefixes);
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
