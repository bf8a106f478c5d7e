import { fileURLToPath } from 'node:url';
import type { AuthenticationChain, Authenticator } from '../authn/index.ts';
import type { SignIns } from '../console/index.ts';
import type { Filter } from '../http/pipeline.ts';
import { mapMaybe } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { ReviewToken } from '../virtual/reviews/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';

/** The parts of the console that are added to the server. All of them are empty when the console is off. */
export interface ServerConsole {
  readonly filters: readonly Filter[];
  readonly authenticators: readonly Authenticator[];
  /** The sign-ins of all threads, in the thread that keeps them. */
  readonly signIns: SignIns | undefined;
  /** Creates the path of a sign-in link for the administrator. */
  readonly signInPath: (() => string) | undefined;
}

export interface ServerConsoleDependencies {
  readonly options: ResolvedOptions;
  readonly material: KeyMaterial;
  readonly authenticate: AuthenticationChain['authenticate'];
  readonly reviewToken: ReviewToken;
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

/** Loads the console if it is on. */
export async function serverConsole(dependencies: ServerConsoleDependencies): Promise<ServerConsole> {
  const { options, material, authenticate, reviewToken } = dependencies;
  if (!options.console) return { filters: [], authenticators: [], signIns: undefined, signInPath: undefined };
  const { Console, OwnSignIns, signInPath } = await import('../console/index.ts');
  const own = new OwnSignIns();
  const signIns = dependencies.signIns ?? own;
  const opened = await Console.open({
    directory: fileURLToPath(pages),
    signIns,
    isLocalOnly: options.console === 'loopback',
    servingCert: () => material.cert,
    authenticate,
    userOfToken: (token) => mapMaybe(reviewToken(token, []), (result) => ('user' in result ? result.user : undefined)),
    onSignIn: ({ name }) => options.log.info('signed in to the console', { user: name }),
  });
  return {
    filters: [opened.filter],
    authenticators: [opened.authenticator],
    signIns,
    signInPath: () => signInPath(own.makeLink(admin).token),
  };
}
