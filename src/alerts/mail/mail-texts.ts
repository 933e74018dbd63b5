import type { Lang } from "../event-text.ts";

interface MailTexts {
  confirmSubject: string;
  confirm: string;
  confirmLink: string;
  notYou: string;
  digestSubject(total: number): string;
  /** Instead of the name of a saved search that was deleted. */
  deleted: string;
  more(count: number): string;
  manage: string;
  unsubscribe: string;
}

export const mailTexts: Record<Lang, MailTexts> = {
  ja: {
    confirmSubject: "Kurabe: メールアドレスの確認",
    confirm: "このアドレスでお知らせのまとめメールを受け取るには、次のリンクを開いてください。",
    confirmLink: "メールアドレスを確認する",
    notYou: "お心当たりがない場合は、何もする必要はありません。まとめメールは送られません。",
    digestSubject: (total) => `Kurabe: ${total} 件のお知らせ`,
    deleted: "削除された保存検索",
    more: (count) => `ほか ${count} 件`,
    manage: "お知らせを見る・変更する",
    unsubscribe: "まとめメールの配信を停止する",
  },
  en: {
    confirmSubject: "Kurabe: confirm your mail address",
    confirm: "To get digests of your alerts at this address, open this link:",
    confirmLink: "Confirm the mail address",
    notYou: "If you did not ask for this, you need not do anything: no digest will be sent.",
    digestSubject: (total) => `Kurabe: ${total} ${total === 1 ? "alert" : "alerts"}`,
    deleted: "A deleted saved search",
    more: (count) => `and ${count} more`,
    manage: "See and change your alerts",
    unsubscribe: "Stop these digests",
  },
};
