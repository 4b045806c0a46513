# The formula of Homebrew. For a tap: `homepage` and `url` are those of the repository when it is public, and
# `sha256` is that of the archive of the tag.
class Amazons < Formula
  desc "Solves small boards of the Game of the Amazons exactly"
  homepage "https://example.org/amazons"
  url "https://example.org/amazons/archive/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"amazons", "completions")
    system bin/"amazons", "man", buildpath/"man"
    man1.install Dir[buildpath/"man/*.1"]
  end

  test do
    assert_match "black wins", shell_output("#{bin}/amazons solve 4x4")
  end
end
