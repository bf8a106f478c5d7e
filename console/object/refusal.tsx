import { ApiError } from '../api/api-error.ts';

/** Shows why the server rejected a request, with the causes. */
export function Refusal({ error }: { error: Error }) {
  return (
    <div class="refusal" role="alert">
      <p>{error.message}</p>
      {error instanceof ApiError && error.causes.length > 0 && (
        <ul>
          {error.causes.map(({ field, message }, index) => (
            <li key={index}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
