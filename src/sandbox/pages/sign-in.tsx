import { scopeTable, type Scope } from "../scopes.ts";
import { Layout } from "./layout.tsx";

interface SignInProps {
  application: string;
  /** The original authorization request, which is sent with the form. */
  request: string;
  seal: string;
  scopes: readonly Scope[];
  /** The address that the browser goes to next. */
  redirectHost: string;
  /** The login that was typed before, if the sign-in failed. */
  failedLogin: string | null;
}

export const signInPath = "/oauth/sign-in";

/** Sign-in and consent in one form, so that there is no session that another page could use. */
export function SignInPage(props: SignInProps) {
  return (
    <Layout title="ログイン" lang="ja">
      <main class="narrow">
        <h1>ショップのアカウントでログイン</h1>
        <p>
          アプリ <strong>{props.application}</strong> があなたのショップへのアクセスを求めています。
          許可すると {props.redirectHost} に移動します。
        </p>
        <ul>
          {props.scopes.map((scope) => (
            <li>
              {scopeTable[scope].japanese} <code>{scope}</code>
            </li>
          ))}
        </ul>
        {props.failedLogin !== null && (
          <p class="fault" role="alert">
            ショップIDまたはパスワードが正しくありません。
          </p>
        )}
        <form method="post" action={signInPath}>
          <input type="hidden" name="request" value={props.request} />
          <input type="hidden" name="seal" value={props.seal} />
          <label for="login">ショップIDまたはメールアドレス</label>
          <input id="login" name="login" autocomplete="username" value={props.failedLogin ?? ""} />
          <label for="password">パスワード</label>
          <input id="password" name="password" type="password" autocomplete="current-password" />
          <button type="submit" name="decision" value="allow">
            許可する
          </button>
          <button type="submit" name="decision" value="deny">
            許可しない
          </button>
        </form>
      </main>
    </Layout>
  );
}

export function RefusedPage(props: { description: string }) {
  return (
    <Layout title="エラー" lang="ja">
      <main class="narrow">
        <h1>続けられません</h1>
        <p class="fault" role="alert">
          {props.description}
        </p>
        <p>アプリに戻って、もう一度お試しください。</p>
      </main>
    </Layout>
  );
}
