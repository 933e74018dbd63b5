/** The default credentials of the sandbox; useless anywhere else. */
export const sandboxCredentials = {
  clientId: "sandbox-search-client",
  clientSecret: "sandbox-search-secret",
} as const;

/**
 * The application registered for the general API. Search does not accept these credentials, and the
 * general API does not accept those of Search.
 */
export const sandboxApplication = {
  clientId: "sandbox-app-client",
  clientSecret: "sandbox-app-secret",
  /** For a loopback address any port is accepted. */
  redirectUris: ["http://127.0.0.1/callback", "http://localhost/callback", "http://[::1]/callback"],
} as const;

/** Every shop's owner signs in with the shop's id or e-mail address and this password. */
export const ownerPassword = "sandbox-owner";

/** Part of the names of both demo shops, so that it finds all their products. */
export const demoKeyword = "見本市";

/** Two shops that are empty at first and are changed only by their owners. */
export const demoShops = [demoShop("demo-1", "一号店"), demoShop("demo-2", "二号店")];

function demoShop(shop_id: string, name: string) {
  return {
    shop_id,
    shop_name: `${demoKeyword} ${name}`,
    shop_url: `https://${shop_id}.example.com/`,
    shop_introduction: "お試し用のショップです。",
    mail_address: `${shop_id}@shops.example.com`,
  };
}
