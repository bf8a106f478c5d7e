import { hash, randomBytes } from 'node:crypto';

/** 256 random bits as text that cookies, headers and URLs can carry. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Secrets are looked up and compared by their digest, so that the time of a comparison reveals nothing about them. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
