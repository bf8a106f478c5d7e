import { pathAttacks } from './path-attacks.ts';
import { sendStream } from './raw-http2.ts';

// As it is, in `:path`.
pathAttacks(async (api, { method, target, token, body }) => {
  const { end, text } = await sendStream(api, {
    fields: [
      [':method', method],
      [':path', target],
      [':scheme', 'https'],
      [':authority', 'x'],
      ['authorization', `Bearer ${token}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    ...(body !== undefined && { body }),
  });
  return end === 'answer' ? text : end;
});
