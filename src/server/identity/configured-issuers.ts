import { configurationOfOidcFlags, parseAuthenticationConfiguration } from '../../authn/config/index.ts';
import { AnonymousAuthenticator, type Authenticator } from '../../authn/index.ts';
import { JwtAuthenticator } from '../../authn/jwt/index.ts';
import type { AuthenticationDependencies } from './authentication-dependencies.ts';

/** JWT issuers and anonymous access, from a configuration file that may change or from the OIDC flags. */
export class ConfiguredIssuers {
  readonly tokens: JwtAuthenticator;
  /** Delegates to the anonymous authenticator of the current configuration. */
  readonly anonymous: Authenticator = {
    needsNoCredentials: true,
    authenticate: (credentials) => this.#anonymous?.authenticate(credentials),
  };
  readonly #dependencies: AuthenticationDependencies;
  #anonymous: AnonymousAuthenticator | undefined;

  constructor(dependencies: AuthenticationDependencies) {
    this.#dependencies = dependencies;
    this.tokens = new JwtAuthenticator([], { stop: dependencies.stopCalls });
    this.#anonymous = dependencies.options.compatibility.anonymousAuth ? new AnonymousAuthenticator() : undefined;
  }

  /** Resolves when the issuers are loaded. `onChange` is called after every change. */
  async follow(onChange: () => void): Promise<void> {
    const { options, files, signal } = this.#dependencies;
    const { log, authenticationConfig } = options;
    if (authenticationConfig === undefined) return this.#fromFlags();
    await files
      .follow([authenticationConfig], {
        onContents: ([content]) => {
          this.#fromFile(content);
          onChange();
        },
        onError: (err) => log.error('authentication configuration not reloaded', { file: authenticationConfig, err }),
        signal,
      })
      .catch((error: Error) => {
        throw error instanceof RangeError
          ? error
          : new RangeError(`authentication-config: ${error.message}`, { cause: error });
      });
  }

  async #fromFlags(): Promise<void> {
    const { options, files } = this.#dependencies;
    const { oidcIssuerUrl, oidcCaFile } = options;
    if (oidcIssuerUrl === undefined) return;
    const ca = oidcCaFile === undefined ? undefined : await files.read('oidc-ca-file', oidcCaFile);
    const issuer = configurationOfOidcFlags(
      {
        issuerUrl: oidcIssuerUrl,
        requiredClaims: options.oidcRequiredClaim,
        signingAlgs: options.oidcSigningAlgs,
        usernameClaim: options.oidcUsernameClaim,
        ...(options.oidcClientId !== undefined && { clientId: options.oidcClientId }),
        ...(options.oidcUsernamePrefix !== undefined && { usernamePrefix: options.oidcUsernamePrefix }),
        ...(options.oidcGroupsClaim !== undefined && { groupsClaim: options.oidcGroupsClaim }),
        ...(options.oidcGroupsPrefix !== undefined && { groupsPrefix: options.oidcGroupsPrefix }),
        ...(ca !== undefined && { certificateAuthority: ca.toString() }),
      },
      { disallowedIssuers: options.serviceAccountIssuer },
    );
    this.tokens.replace(issuer === undefined ? [] : [issuer]);
  }

  #fromFile(content: Buffer): void {
    const { anonymousAuth, compatibility, serviceAccountIssuer: disallowedIssuers } = this.#dependencies.options;
    const { jwt, anonymous } = parseAuthenticationConfiguration(content, { disallowedIssuers });
    if (anonymous !== undefined && anonymousAuth !== undefined) {
      throw new RangeError('anonymous cannot be set in the authentication configuration together with anonymous-auth');
    }
    this.tokens.replace(jwt);
    const { enabled, ...where } = anonymous ?? { enabled: compatibility.anonymousAuth };
    this.#anonymous = enabled ? new AnonymousAuthenticator(where) : undefined;
  }
}
