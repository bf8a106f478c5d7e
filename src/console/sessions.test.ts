import { describe, expect, it } from 'vitest';
import { Sessions } from './sessions.ts';
import { SignInLinks } from './sign-in-links.ts';

const signIn = (name: string, endsAt?: number) => {
  const user = { name, uid: '', groups: [], extra: {} };
  return { user, owner: user, credential: undefined, impersonated: undefined, endsAt };
};
const hour = 60 * 60_000;

describe('sessions', () => {
  const begin = (sessions: Sessions, name: string) => sessions.begin(signIn(name));

  it('end after twelve hours', () => {
    let now = 0;
    const sessions = new Sessions({ now: () => now });
    const { id, proof, expiresAt } = begin(sessions, 'ann');
    expect(expiresAt).toBe(12 * hour);
    now = 12 * hour - 1;
    expect(sessions.find(id, proof)?.signIn.user.name).toBe('ann');
    now = 12 * hour;
    expect(sessions.find(id, proof)).toBeUndefined();
  });

  it('end with the first one if a link of that one has begun them', () => {
    let now = hour;
    const sessions = new Sessions({ now: () => now });
    const { id, proof, expiresAt } = sessions.begin(signIn('ann', 2 * hour));
    expect(expiresAt).toBe(2 * hour);
    now = 2 * hour;
    expect(sessions.find(id, proof)).toBeUndefined();
  });

  it('need both secrets, which belong together', () => {
    const sessions = new Sessions();
    const [first, second] = [begin(sessions, 'ann'), begin(sessions, 'ann')];
    expect(sessions.find(first.id, second.proof)).toBeUndefined();
    expect(sessions.find(first.proof, first.id)).toBeUndefined();
    sessions.end(first.id, second.proof);
    expect(sessions.find(first.id, first.proof)).toBeDefined();
    sessions.end(first.id, first.proof);
    expect(sessions.find(first.id, first.proof)).toBeUndefined();
    expect(sessions.find(second.id, second.proof)).toBeDefined();
  });

  it('are bounded: those of a user first, then the oldest of all', () => {
    const sessions = new Sessions();
    const other = begin(sessions, 'bob');
    const own = Array.from({ length: 17 }, () => begin(sessions, 'ann'));
    expect(own.filter(({ id, proof }) => sessions.find(id, proof) === undefined)).toEqual([own[0]]);
    expect(sessions.find(other.id, other.proof)).toBeDefined();
    for (let count = 0; count < 1024 - 17; count++) begin(sessions, `user-${count}`);
    expect(sessions.find(other.id, other.proof)).toBeDefined();
    begin(sessions, 'one more');
    expect(sessions.find(other.id, other.proof)).toBeUndefined();
    expect(sessions.find(own[1]!.id, own[1]!.proof)).toBeDefined();
  });

  it('make room when they have expired', () => {
    let now = 0;
    const sessions = new Sessions({ now: () => now });
    for (let count = 0; count < 1023; count++) begin(sessions, `user-${count}`);
    now = hour;
    const kept = begin(sessions, 'ann');
    now = 12 * hour;
    for (let count = 0; count < 1023; count++) begin(sessions, `user-${count}`);
    expect(sessions.find(kept.id, kept.proof)).toBeDefined();
  });
});

describe('links', () => {
  it('sign in once, within fifteen minutes', () => {
    let now = 0;
    const links = new SignInLinks({ now: () => now });
    const { token } = links.make(signIn('ann'));
    expect(links.redeem('x')).toBeUndefined();
    expect(links.redeem(token)?.user.name).toBe('ann');
    expect(links.redeem(token)).toBeUndefined();
    const { token: late, expiresAt } = links.make(signIn('ann'));
    now = expiresAt;
    expect(expiresAt).toBe(15 * 60_000);
    expect(links.redeem(late)).toBeUndefined();
  });

  it('are worth nothing after the session that has made them', () => {
    let now = 0;
    const links = new SignInLinks({ now: () => now });
    const { token, expiresAt } = links.make(signIn('ann', 60_000));
    expect(expiresAt).toBe(60_000);
    now = expiresAt;
    expect(links.redeem(token)).toBeUndefined();
  });

  it('are bounded: one of each user, and the oldest are worth nothing', () => {
    const links = new SignInLinks();
    const tokens = Array.from({ length: 257 }, (_, index) => links.make(signIn(`user-${index}`)).token);
    expect(links.redeem(tokens[0]!)).toBeUndefined();
    expect(links.redeem(tokens[1]!)?.user.name).toBe('user-1');
    const replaced = links.make(signIn('user-2')).token;
    expect(links.redeem(tokens[2]!)).toBeUndefined();
    expect(links.redeem(replaced)?.user.name).toBe('user-2');
  });
});
