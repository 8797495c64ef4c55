# Ignition, reduced to what the tests need: writes the files and units of a config, and lists the enabled units
# as "early NAME" (ordered before NetworkManager) or "late NAME" in /ignition/units.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use File::Path qw(make_path);
use File::Basename;

sub slurp { my ($path) = @_; local $/; open my $in, '<:raw', $path or die "$path: $!"; return scalar <$in>; }
sub spill {
  my ($path, $text, $mode) = @_;
  make_path(dirname($path));
  open my $out, '>:raw', $path or die "$path: $!";
  print $out $text;
  close $out;
  chmod $mode, $path;
}
sub contents {
  my ($resource) = @_;
  my $source = $resource->{source} // 'data:,';
  my ($head, $data) = $source =~ /^data:([^,]*),(.*)$/s or die "not a data URL";
  $data =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
  $data = decode_base64($data) if $head =~ /;base64$/;
  return $data if ($resource->{compression} // '') ne 'gzip';
  spill('/tmp/packed.gz', $data, 0600);
  return scalar `gunzip -c /tmp/packed.gz`;
}

my $config = decode_json(slurp($ARGV[0]));
for my $merged (@{ $config->{ignition}{config}{merge} // [] }) { die "merge is not supported here" }
for my $directory (@{ $config->{storage}{directories} // [] }) {
  make_path($directory->{path});
  chmod $directory->{mode}, $directory->{path} if defined $directory->{mode};
}
for my $file (@{ $config->{storage}{files} // [] }) {
  spill($file->{path}, contents($file->{contents} // {}), $file->{mode} // 0644);
}
make_path('/ignition');
open my $units, '>', '/ignition/units' or die $!;
for my $unit (@{ $config->{systemd}{units} // [] }) {
  my $text = $unit->{contents} // '';
  spill("/etc/systemd/system/$unit->{name}", $text, 0644) if length $text;
  my $order = $text =~ /^Before=.*\bNetworkManager\.service\b/m ? 'early' : 'late';
  print $units "$order $unit->{name}\n" if $unit->{enabled} && length $text;
}
close $units;
