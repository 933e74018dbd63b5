/** Section 7, in the language of the service. */
const specifiedErrors = {
  invalid_request: "アクセストークンが無効です。",
  hour_api_limit: "1時間のAPI利用上限を超えました。時間が変わってから再度お試しください。",
  day_api_limit: "1日のAPI利用上限を超えました。日付が変わってから再度お試しください。",
  auth_error: "client_idまたはclient_secretが正しくありません。",
  search_error: "検索パラメータが正しくありません。",
  bad_params: "パラメータが正しくありません。",
} as const;

/** "The full list of error codes: not shown": those of RFC 6749 and 6750, and as few others as possible. */
const assumedErrors = {
  not_found: "指定されたデータが見つかりません。",
  insufficient_scope: "この操作に必要なスコープが許可されていません。",
  https_required: "HTTPSで接続してください。",
  invalid_client: "クライアント認証に失敗しました。",
  invalid_grant: "認可コードまたはリフレッシュトークンが無効です。",
  unauthorized_client: "このクライアントには許可されていません。",
  unsupported_grant_type: "grant_typeが正しくありません。",
  unsupported_response_type: "response_typeが正しくありません。",
  invalid_scope: "scopeが正しくありません。",
  access_denied: "アクセスが拒否されました。",
  server_error: "サーバーでエラーが発生しました。",
} as const;

const apiErrors = { ...specifiedErrors, ...assumedErrors };

export type ApiErrorCode = keyof typeof apiErrors;
/** The codes that the specification shows. */
export const specifiedErrorCodes: readonly string[] = Object.keys(specifiedErrors);
export const errorDescriptions: readonly [string, string][] = Object.entries(apiErrors);

export function isSpecifiedError(name: string): name is keyof typeof specifiedErrors {
  return Object.hasOwn(specifiedErrors, name);
}

/** A call that the service refuses: status 400 and a body of two fields. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  /** `error_description`; by default the code's own text. */
  readonly description: string;
  readonly headers: Record<string, string>;

  constructor(code: ApiErrorCode, description?: string, headers: Record<string, string> = {}) {
    super(code);
    this.code = code;
    this.description = description ?? apiErrors[code];
    this.headers = headers;
  }
}
