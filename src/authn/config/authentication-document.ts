/** The configuration file as decoded, before validation. */
export interface AuthenticationDocument {
  readonly jwt?: readonly JwtDocument[];
  readonly anonymous?: AnonymousDocument;
}

export interface JwtDocument {
  readonly issuer?: IssuerDocument;
  readonly claimValidationRules?: readonly ClaimRuleDocument[];
  readonly claimMappings?: MappingsDocument;
  readonly userValidationRules?: readonly UserRuleDocument[];
}

export interface IssuerDocument {
  readonly url?: string;
  readonly discoveryURL?: string;
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface ClaimRuleDocument {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface UserRuleDocument {
  readonly expression?: string;
  readonly message?: string;
}

export interface MappingDocument {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

export interface MappingsDocument {
  readonly username?: MappingDocument;
  readonly groups?: MappingDocument;
  readonly uid?: MappingDocument;
  readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

export interface AnonymousDocument {
  readonly enabled: boolean;
  readonly conditions: readonly { readonly path: string }[];
}
